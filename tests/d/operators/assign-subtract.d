BEGIN { x = 5; x -= 8; printf("%d", x); exit(0); }
