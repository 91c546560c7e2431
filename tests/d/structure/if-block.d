BEGIN { x = 1; if (x) { y = 5; y++; printf("%d ", y); } printf("%d", y); exit(0); }
