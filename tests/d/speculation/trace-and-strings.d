BEGIN { self->s = speculation(); speculate(self->s); trace(1); trace(execname); printf(" %s", "x"); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }
