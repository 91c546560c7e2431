struct b { unsigned a : 30; unsigned b : 4; char c; };
BEGIN { printf("%d %d", sizeof(struct b), offsetof(struct b, c)); exit(0); }
