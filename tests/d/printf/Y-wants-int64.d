BEGIN { printf("%Y", 1); }
