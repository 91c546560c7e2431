struct s { int a; struct { int b; int c; }; union { int d; char e; }; };
struct s v;
BEGIN { v.b = 2; v.c = 3; v.d = 0x4142; printf("%d %d %c %d", v.b, v.c, v.e, sizeof(v)); exit(0); }
