BEGIN { s = "hello"; printf("%d %d %d %d", strlen(s), strlen(""), strlen("a b"), sizeof(strlen(s))); exit(0); }
