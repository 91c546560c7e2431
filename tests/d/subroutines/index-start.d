BEGIN { s = "foobarbeebar"; printf("%d %d %d %d", index(s, "bar", 3), index(s, "bar", 4), index(s, "bar", -5), index(s, "bar", 10)); exit(0); }
