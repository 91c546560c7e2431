BEGIN { x = 1; printf("%d ", x); x = 2; printf("%d ", x); x = 3; }
BEGIN { printf("%d", x); exit(0); }
