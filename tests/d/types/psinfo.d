BEGIN { printf("%d %d %d %s", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curpsinfo->pr_uid == uid, curpsinfo->pr_fname == execname ? "same" : "other"); exit(0); }
