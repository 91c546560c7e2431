BEGIN { x = 12; x |= 3; printf("%d", x); exit(0); }
