/* The first that fits of int, long: never unsigned without a suffix. */
BEGIN { printf("%d %d %d", sizeof(2147483647), sizeof(2147483648), -1 < 2147483648); exit(0); }
