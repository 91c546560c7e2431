/* Only the low six bits count. */
BEGIN { x = (int64_t)1; n = 65; m = 64; printf("%d %d %d", x << n, x << m, x << 63 < 0); exit(0); }
