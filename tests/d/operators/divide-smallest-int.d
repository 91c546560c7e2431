BEGIN { x = -2147483647 - 1; y = -1; printf("%d %d", x / y, x % y); exit(0); }
