BEGIN { x = -17; x %= 5; printf("%d", x); exit(0); }
