BEGIN { x = 1; printf("%d %d", sizeof(x ? 1 : 1l), (x ? -1 : 1u) > 0); exit(0); }
