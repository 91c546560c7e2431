BEGIN { self->s = speculation(); speculate(self->s); printf("lost "); }
BEGIN { discard(self->s); }
BEGIN { printf("end"); exit(0); }
