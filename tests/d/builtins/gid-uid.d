BEGIN { printf("%d %d", uid == $uid, gid == $gid); exit(0); }
