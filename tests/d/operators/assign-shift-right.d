BEGIN { x = -48; x >>= 4; printf("%d", x); exit(0); }
