BEGIN { printf("%s %s %s", cleanpath("/a/../b/./c//d"), cleanpath("/a/b"), cleanpath("/")); exit(0); }
