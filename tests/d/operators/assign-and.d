BEGIN { x = 12; x &= 10; printf("%d", x); exit(0); }
