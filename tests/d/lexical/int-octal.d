BEGIN { printf("%d %d %d", 00, 010, 0777); exit(0); }
