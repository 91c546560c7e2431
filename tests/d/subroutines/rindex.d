BEGIN { s = "foobarbeebar"; printf("%d %d %d", rindex(s, "bar"), rindex(s, "f"), rindex(s, "zz")); exit(0); }
