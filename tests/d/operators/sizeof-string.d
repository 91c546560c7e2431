BEGIN { printf("%d", sizeof(string)); exit(0); }
