struct s { int a; int b; };
struct s v;
BEGIN { v.a = 3; v.b = v.a + 1; printf("%d %d", v.a, v.b); exit(0); }
