BEGIN { printf("%C%C%C%C", 'a', '\n', '\t', '\0'); exit(0); }
