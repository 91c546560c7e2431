BEGIN { s = "hello"; printf("%s %s [%s]", strchr(s, 'l'), strchr(s, 'h'), strchr(s, 'z')); exit(0); }
