BEGIN { p = (char *)0xffffffff00000000; q = (char *)1; printf("%d", p > q); exit(0); }
