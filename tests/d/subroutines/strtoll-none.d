BEGIN { printf("%d %d %d", strtoll(""), strtoll("abc"), strtoll("-")); exit(0); }
