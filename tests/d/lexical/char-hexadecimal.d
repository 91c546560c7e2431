BEGIN { printf("%d %d %d", '\x41', '\x7', '\x7F'); exit(0); }
