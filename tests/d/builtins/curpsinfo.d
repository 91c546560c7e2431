BEGIN { printf("%d %d %d", curpsinfo->pr_uid == uid, curpsinfo->pr_gid == gid, curpsinfo->pr_dmodel); exit(0); }
