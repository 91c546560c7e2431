BEGIN { x = (y = 3, y + 1); printf("%d %d", x, y); exit(0); }
