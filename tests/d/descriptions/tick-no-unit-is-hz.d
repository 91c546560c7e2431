tick-1000 { printf("t"); exit(0); }
