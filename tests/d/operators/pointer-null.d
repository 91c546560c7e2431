BEGIN { p = (int *)0; q = (int *)8; printf("%d %d %d %d", p == NULL, q == 0, !p, q != NULL); exit(0); }
