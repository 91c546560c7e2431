BEGIN { printf("%d %d %d", arg0, arg1, arg9); exit(0); }
