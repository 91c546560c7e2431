BEGIN { printf("%d %d %d %d", $euid == $uid, $egid == $gid, $pgid > 0, $sid >= 0); exit(0); }
