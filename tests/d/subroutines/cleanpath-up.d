BEGIN { printf("%s %s %s", cleanpath("/a/b/../.."), cleanpath("/.."), cleanpath("/a/b/..")); exit(0); }
