BEGIN { x = -42; printf("%d %i %d", x, x, (int64_t)x << 40); exit(0); }
