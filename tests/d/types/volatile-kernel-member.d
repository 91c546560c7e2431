BEGIN { printf("%d", curthread->real_parent->tgid == ppid); exit(0); }
