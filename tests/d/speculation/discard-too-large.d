BEGIN { discard(99); }
BEGIN { printf("end"); exit(0); }
