BEGIN { self->x = 5; self->x = 0; printf("%d", self->x); exit(0); }
