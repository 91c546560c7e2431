dtrace:::[ABC]EGIN { printf("x"); exit(0); }
