BEGIN { s = "abc"; i = 5000; printf("%c", s[i]); }
BEGIN { exit(0); }
