struct s { int a; int b; };
self struct s v;
BEGIN { self->v.a = 1; self->v.b = 2; self->v.a += 5; printf("%d %d", self->v.a, self->v.b); exit(0); }
