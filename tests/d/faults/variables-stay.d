BEGIN { x = 5; y = *(int *)8; x = 6; }
BEGIN { printf("%d", x); exit(0); }
