BEGIN { printf("%d %d %s", 1, 2, 3); }
