BEGIN { printf("%d %d %d %d %d %d %d", '\a', '\b', '\f', '\n', '\r', '\t', '\v'); exit(0); }
