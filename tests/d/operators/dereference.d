BEGIN { printf("%d %d", *&curthread->tgid == pid, (*curthread).tgid == pid); exit(0); }
