BEGIN { x = 0; printf("%d %d %d", x++, x++, x); exit(0); }
