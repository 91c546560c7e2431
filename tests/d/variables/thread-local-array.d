BEGIN { self->a["k", 1] = 4; self->a["k", 2] = 5; printf("%d %d %d", self->a["k", 1], self->a["k", 2], self->a["l", 1]); exit(0); }
