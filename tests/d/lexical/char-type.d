BEGIN { printf("%d", sizeof('a')); exit(0); }
