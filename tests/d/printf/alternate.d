BEGIN { x = 255; z = 0; printf("%#x %#X %#x", x, x, z); exit(0); }
