BEGIN { x = 1; }
tick-1ms / x == 1 / { printf("after"); x = 2; exit(0); }
tick-1ms / x == 0 / { printf("before"); exit(0); }
