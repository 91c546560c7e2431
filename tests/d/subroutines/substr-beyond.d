BEGIN { s = "hello"; printf("[%s][%s][%s]", substr(s, 5), substr(s, 9), substr(s, 9, 2)); exit(0); }
