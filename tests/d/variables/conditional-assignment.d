BEGIN { x = 1; if (x) y = 2; else y = 3; printf("%d", y); exit(0); }
