BEGIN { x = 0; y = 1 / x; }
ERROR { printf("%d %d", arg4, arg5); exit(0); }
