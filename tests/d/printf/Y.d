BEGIN { printf("%Y", (int64_t)0); exit(0); }
