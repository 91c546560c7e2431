/* A field that an int can hold is an int, unless it is cast. */
struct b { unsigned a : 3; unsigned b : 32; };
struct b v;
BEGIN { v.a = 5; v.b = 5; printf("%d %d %d %d", -v.a < 0, -v.b < 0, -(unsigned)v.a < 0, sizeof(-v.a)); exit(0); }
