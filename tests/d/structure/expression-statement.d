BEGIN { 1 + 2; x = 3; x; printf("%d", x); exit(0); }
