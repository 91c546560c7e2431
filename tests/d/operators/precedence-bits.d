BEGIN { a = 6; b = 3; c = 1; printf("%d %d %d", a & b == 3, a | b & c, a ^ b | c); exit(0); }
