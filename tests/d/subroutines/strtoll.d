BEGIN { printf("%d %d %d %d", strtoll("42"), strtoll("-7"), strtoll("+9"), strtoll("  12xyz")); exit(0); }
