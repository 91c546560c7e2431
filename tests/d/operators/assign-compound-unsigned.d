BEGIN { x = -8; x /= 2u; printf("%d", x); exit(0); }
