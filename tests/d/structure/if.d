BEGIN { x = 2; if (x == 2) printf("two "); if (x == 3) printf("three "); printf("end"); exit(0); }
