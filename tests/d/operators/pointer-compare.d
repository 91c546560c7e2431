BEGIN { p = (int *)0x1000; q = p + 1; printf("%d%d%d%d", p < q, p == q, p != q, p >= q); exit(0); }
