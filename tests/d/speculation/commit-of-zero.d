BEGIN { commit(0); printf("never"); }
BEGIN { printf("end"); exit(0); }
