BEGIN { s = "hello"; printf("[%s][%s][%s]", substr(s, 0, -1), substr(s, 1, -2), substr(s, 4, -2)); exit(0); }
