BEGIN { printf("%d", curthread->tgid == pid && curthread->pid == tid); exit(0); }
