BEGIN { x = 0xabc; y = -1; printf("%x %X %x %x", x, x, y, (int8_t)y); exit(0); }
