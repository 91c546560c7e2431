struct b { unsigned a : 3; unsigned b : 5; int c : 4; unsigned d : 20; };
struct b v;
BEGIN { v.a = 5; v.b = 17; v.c = -3; v.d = 0xabcde; printf("%d %d %d %x %d", v.a, v.b, v.c, v.d, sizeof(v)); exit(0); }
