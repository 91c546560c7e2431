BEGIN { printf("%d %d", curthread->tgid == pid, sizeof(curthread)); exit(0); }
