BEGIN { x = 7; y = -3; printf("%d %d %d %d", x * y, x / y, x % y, y % x); exit(0); }
