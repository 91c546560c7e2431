BEGIN { printf("%d %d %d %d", strtoll("ff", 16), strtoll("0x1F", 16), strtoll("777", 8), strtoll("101", 2)); exit(0); }
