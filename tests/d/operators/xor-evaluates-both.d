BEGIN { x = 1; y = 1 ^^ (x = 7); printf("%d %d", x, y); exit(0); }
