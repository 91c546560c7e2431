struct b { unsigned a : 4; unsigned b : 4; unsigned c : 4; };
struct b v;
BEGIN { v.a = 15; v.c = 15; v.b = 5; v.b ^= 15; printf("%d %d %d", v.a, v.b, v.c); exit(0); }
