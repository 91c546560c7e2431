/* No trap: the quotient wraps. */
BEGIN { x = (int64_t)-9223372036854775807 - 1; y = (int64_t)-1; printf("%d %d", x / y, x % y); exit(0); }
