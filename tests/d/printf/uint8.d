BEGIN { x = (uint8_t)200; printf("%u %x %o", x, x, x); exit(0); }
