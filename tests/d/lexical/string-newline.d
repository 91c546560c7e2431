BEGIN { printf("a
b"); }
