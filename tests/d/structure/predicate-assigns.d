BEGIN / x = 5 / { printf("%d", x); exit(0); }
