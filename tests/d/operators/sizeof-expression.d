BEGIN { x = (short)1; printf("%d %d %d", sizeof x, sizeof (x), sizeof (x + 1)); exit(0); }
