BEGIN { x = 5; }
BEGIN { x = x + 1; printf("%d", x); exit(0); }
