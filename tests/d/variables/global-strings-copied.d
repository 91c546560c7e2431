BEGIN { s = "abc"; t = s; s = "xyz"; printf("%s %s", s, t); exit(0); }
