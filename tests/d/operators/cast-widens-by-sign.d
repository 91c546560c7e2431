BEGIN { x = (char)-2; y = (unsigned char)254; printf("%d %d", (int64_t)x, (int64_t)y); exit(0); }
