dtrace:::?EGIN { printf("x"); exit(0); }
