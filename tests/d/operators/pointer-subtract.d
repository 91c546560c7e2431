BEGIN { p = (int *)0x1000; printf("%p %d", p - 2, (p + 5) - p); exit(0); }
