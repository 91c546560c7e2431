BEGIN { x = (unsigned char)300; y = (long long)5; z = (unsigned long long)-1; printf("%d %d %u", x, y, z); exit(0); }
