BEGIN { printf("%s", root); exit(0); }
