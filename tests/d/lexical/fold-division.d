BEGIN { printf("%d %d %d %d", -7 / 2, -7 % 3, 7 / -2, 7 % -3); exit(0); }
