BEGIN { s = "hello"; printf("%s %s [%s]", strrchr(s, 'l'), strrchr(s, 'h'), strrchr(s, 'z')); exit(0); }
