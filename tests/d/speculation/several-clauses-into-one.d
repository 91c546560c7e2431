BEGIN { self->s = speculation(); speculate(self->s); printf("a "); }
BEGIN { speculate(self->s); printf("b "); }
BEGIN { printf("first "); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }
