BEGIN { s = "foobarbeebar"; printf("%d %d %d", index(s, "bar"), index(s, "f"), index(s, "zz")); exit(0); }
