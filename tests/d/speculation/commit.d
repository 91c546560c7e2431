BEGIN { self->s = speculation(); speculate(self->s); printf("kept "); }
BEGIN { commit(self->s); }
BEGIN { printf("end"); exit(0); }
