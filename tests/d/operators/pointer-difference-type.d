BEGIN { p = (int *)0x1000; printf("%d %d", sizeof(p - p), p - (p + 1) < 0); exit(0); }
