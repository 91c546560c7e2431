BEGIN { a = 1; b = 2; c = 3; printf("%d %d", a < b == 1, c > b > a); exit(0); }
