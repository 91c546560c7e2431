BEGIN { x = 3; x <<= 4; printf("%d", x); exit(0); }
