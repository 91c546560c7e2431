BEGIN { s = "hello"; printf("%s %s %s", substr(s, 1, 3), substr(s, -3), substr(s, -3, 2)); exit(0); }
