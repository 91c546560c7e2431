dtrace:::[A-C]EGIN { printf("x"); exit(0); }
