dtrace:::[!A]EGIN { printf("x"); exit(0); }
