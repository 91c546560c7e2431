BEGIN { s = "foobarbeebar"; printf("%d %d %d", rindex(s, "bar", 9), rindex(s, "bar", 8), rindex(s, "bar", 2)); exit(0); }
