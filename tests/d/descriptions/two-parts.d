:BEGIN { printf("x"); exit(0); }
