BEGIN { x = 1; y = sizeof(x++); printf("%d %d", x, y); exit(0); }
