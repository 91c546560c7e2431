BEGIN { p = (int *)4096; printf("%p %p", p, 4096); exit(0); }
