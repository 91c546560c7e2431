BEGIN { x = 5; y = -16; printf("%d %d %d", x << 3, x >> 1, y >> 2); exit(0); }
