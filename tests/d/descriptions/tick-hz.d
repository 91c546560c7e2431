tick-1000hz { printf("t"); exit(0); }
