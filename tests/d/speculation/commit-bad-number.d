BEGIN { commit(5000); }
BEGIN { printf("end"); exit(0); }
