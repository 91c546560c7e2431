BEGIN { s = "hello world"; printf("%s %s [%s]", strstr(s, "o w"), strstr(s, "hello"), strstr(s, "worlds")); exit(0); }
