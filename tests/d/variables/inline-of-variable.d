inline int me = pid;
BEGIN { printf("%d", me == pid); exit(0); }
