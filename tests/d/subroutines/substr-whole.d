BEGIN { s = "hello"; printf("%s %s [%s]", substr(s, 0), substr(s, 0, 99), substr(s, 0, 0)); exit(0); }
