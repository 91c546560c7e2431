BEGIN { x = -1; y = 1; printf("%d%d%d%d%d%d", x < y, x <= y, x > y, x >= y, x == y, x != y); exit(0); }
