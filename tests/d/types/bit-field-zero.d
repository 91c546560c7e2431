struct b { unsigned a : 3; unsigned : 0; unsigned b : 3; };
BEGIN { printf("%d", sizeof(struct b)); exit(0); }
