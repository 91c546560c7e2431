BEGIN { printf("a%d", 1); trace(2); printf("b"); exit(0); }
