BEGIN { x = 0xffffffffu; y = 1u; printf("%d%d%d%d%d%d", x < y, x <= y, x > y, x >= y, x == y, x != y); exit(0); }
