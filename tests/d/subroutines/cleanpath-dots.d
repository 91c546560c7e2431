BEGIN { printf("%s %s %s", cleanpath("/a/."), cleanpath("/a/..b"), cleanpath("/a/...")); exit(0); }
