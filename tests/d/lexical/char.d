BEGIN { printf("%d %d %d %d", 'a', 'Z', '0', ' '); exit(0); }
