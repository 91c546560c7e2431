BEGIN / 8 / 4 == 2 / { printf("%d", 100 / 5 / 2); exit(0); }
