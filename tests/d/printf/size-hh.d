BEGIN { printf("%hhd", (char)1); }
