BEGIN { printf("%s %d", "ab\0cd", strlen("ab\0cd")); exit(0); }
