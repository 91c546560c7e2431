BEGIN { printf("%s", execname); exit(0); }
