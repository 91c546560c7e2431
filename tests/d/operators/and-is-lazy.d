BEGIN { z = 0; x = 1; y = z && (x = 7); printf("%d %d", x, y); exit(0); }
