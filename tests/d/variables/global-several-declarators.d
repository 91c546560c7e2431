int a, b, c[int];
BEGIN { a = 1; b = 2; c[3] = 4; printf("%d %d %d", a, b, c[3]); exit(0); }
