BEGIN { printf("a"); ftruncate(); printf("b"); exit(0); }
