BEGIN { s = "hello"; printf("%d %d", strchr(s, 'z') == NULL, strchr(s, 'o') == NULL); exit(0); }
