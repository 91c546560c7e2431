BEGIN { printf("%hd %d %ld %lld", (short)-1, -2, (long)-3, (long long)-4); exit(0); }
