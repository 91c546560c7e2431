BEGIN { x = 1; a = 0; b = 0; y = x ? (a = 1) : (b = 1); printf("%d %d", a, b); exit(0); }
