BEGIN { x = 0xf0000000u; printf("%u %x", x >> 28, x << 1); exit(0); }
