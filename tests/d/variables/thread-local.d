BEGIN { self->x = 5; }
BEGIN { printf("%d", self->x); exit(0); }
