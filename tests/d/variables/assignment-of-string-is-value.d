BEGIN { printf("%s %s", s = "abc", s); exit(0); }
