BEGIN { printf("%d %d", sizeof(sizeof(int)), sizeof(int) - 5 > 0); exit(0); }
