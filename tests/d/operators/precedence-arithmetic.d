BEGIN { a = 2; b = 3; c = 4; printf("%d %d %d", a + b * c, (a + b) * c, a - b - c); exit(0); }
