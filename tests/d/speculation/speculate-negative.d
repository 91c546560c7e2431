BEGIN { n = -1; speculate(n); }
BEGIN { printf("end"); exit(0); }
