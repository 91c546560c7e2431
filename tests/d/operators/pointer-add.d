BEGIN { p = (int *)0x1000; q = (int64_t *)0x1000; c = (char *)0x1000; printf("%p %p %p", p + 3, q + 3, c + 3); exit(0); }
