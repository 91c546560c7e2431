BEGIN { printf("a"); exit(0) }
