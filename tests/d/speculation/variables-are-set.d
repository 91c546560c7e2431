BEGIN { self->s = speculation(); speculate(self->s); x = 5; }
BEGIN { discard(self->s); }
BEGIN { printf("%d", x); exit(0); }
