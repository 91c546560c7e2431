BEGIN { self->s = speculation(); speculate(self->s); printf("lost "); }
BEGIN { printf("end"); exit(0); }
