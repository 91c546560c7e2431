BEGIN { x = (char)200; printf("%d %d", x, x < 0); exit(0); }
