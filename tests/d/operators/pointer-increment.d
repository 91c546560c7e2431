BEGIN { p = (int *)0x1000; p++; q = p++; p += 2; --p; printf("%p %p", p, q); exit(0); }
