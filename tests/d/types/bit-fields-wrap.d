struct b { unsigned a : 3; int c : 3; };
struct b v;
BEGIN { v.a = 9; v.c = 7; printf("%d %d", v.a, v.c); v.a--; v.a--; v.c += 4; printf(" %d %d", v.a, v.c); exit(0); }
