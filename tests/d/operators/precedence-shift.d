BEGIN { a = 1; b = 2; printf("%d %d", a << b + 1, a + b << 1); exit(0); }
