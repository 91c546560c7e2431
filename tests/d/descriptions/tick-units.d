tick-1000us, tick-1000000nsec, tick-1000usec { printf("t"); exit(0); }
