BEGIN { x = 5; y = x+++x; z = x---1; printf("%d %d %d", x, y, z); exit(0); }
