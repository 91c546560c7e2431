BEGIN { self->x++; self->x++; printf("%d", self->x--); exit(0); }
