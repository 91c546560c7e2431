BEGIN { printf("%d", curthread->group_leader->group_leader->tgid == pid); exit(0); }
