BEGIN { s = "zZ"; printf("%d %d", strtoll(s, 36), strtoll("9", 8)); exit(0); }
