self int x;
self string s;
BEGIN { printf("%d [%s] ", self->x, self->s); self->x = 3; self->s = "t"; printf("%d %s", self->x, self->s); exit(0); }
