BEGIN { printf("%d", sizeof(arg0)); exit(0); }
