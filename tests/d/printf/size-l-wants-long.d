BEGIN { printf("%ld", 1); }
