BEGIN { printf("%s %s %s", basename("x"), basename("x/"), basename("//")); exit(0); }
