BEGIN { printf("%d", x); }
BEGIN { x = 1; }
