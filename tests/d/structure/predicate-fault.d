/* A predicate that faults is not true. */
BEGIN / *(int *)8 == 0 / { printf("never"); }
BEGIN { printf("on"); exit(0); }
