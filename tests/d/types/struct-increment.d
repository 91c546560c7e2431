struct s { char c; int i; long l; };
struct s v;
BEGIN { v.i = 5; v.i++; v.i += 10; v.c--; v.l = v.i++ * 2; printf("%d %d %d", v.i, v.c, v.l); exit(0); }
