BEGIN { printf("%d %d %d", 0, 7, 2147483647); exit(0); }
