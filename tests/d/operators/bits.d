BEGIN { x = 12; y = 10; printf("%d %d %d %d", x & y, x | y, x ^ y, ~x); exit(0); }
