/* Nothing was free: the clause leaves nothing. */
BEGIN { speculate(0); printf("never"); }
BEGIN { printf("end"); exit(0); }
