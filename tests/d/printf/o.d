BEGIN { x = 511; y = (int8_t)-1; printf("%o %o %#o", x, y, x); exit(0); }
