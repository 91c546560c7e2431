BEGIN { commit(0); }
BEGIN { discard(0); }
BEGIN { printf("end"); exit(0); }
