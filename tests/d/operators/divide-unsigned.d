BEGIN { x = 0xffffffffu; printf("%u %u", x / 2, x % 10); exit(0); }
