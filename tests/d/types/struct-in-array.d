struct s { int a; int b; };
struct s m[int];
BEGIN { m[1].a = 4; m[2].b = 5; m[1].b = 6; printf("%d %d %d %d", m[1].a, m[1].b, m[2].a, m[2].b); exit(0); }
