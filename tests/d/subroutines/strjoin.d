BEGIN { a = "abc"; b = "def"; printf("%s %s %s", strjoin(a, b), strjoin("", a), strjoin(a, "")); exit(0); }
