BEGIN { s = "hello"; i = 1; printf("%c%c%c %d", s[0], s[i], s[4], s[5]); exit(0); }
