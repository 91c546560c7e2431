BEGIN { printf("%d %d %d %d", 0x0, 0xff, 0XfF, 0x7fffffff); exit(0); }
