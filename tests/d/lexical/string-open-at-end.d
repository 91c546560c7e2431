BEGIN { printf("a); }
