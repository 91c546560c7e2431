string s;
BEGIN { s = "abc"; printf("%s %d", s, sizeof(s)); exit(0); }
