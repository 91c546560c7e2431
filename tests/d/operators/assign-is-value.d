BEGIN { x = y = z = 5; printf("%d %d %d %d", x, y, z, (x = 7) + 1); exit(0); }
