BEGIN { x = 1; X = 2; printf("%d %d", x, X); exit(0); }
