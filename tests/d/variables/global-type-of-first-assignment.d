BEGIN { x = (char)1; x = 300; printf("%d", x); exit(0); }
