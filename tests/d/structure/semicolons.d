BEGIN { ; printf("a"); ; ; printf("b");; exit(0) }
