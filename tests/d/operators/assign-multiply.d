BEGIN { x = 5; x *= -3; printf("%d", x); exit(0); }
