BEGIN { s = "abc"; printf("%d %d", index(s, ""), index("", "a")); exit(0); }
