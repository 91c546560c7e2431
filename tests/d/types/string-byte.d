BEGIN { s = "abc"; i = 2; printf("%c %d %d", s[i], s[0], s[3]); exit(0); }
