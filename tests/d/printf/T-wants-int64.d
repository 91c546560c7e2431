BEGIN { printf("%T", 1); }
