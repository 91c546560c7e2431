BEGIN { printf("%s %s %s %s", dirname(""), dirname("a/b"), dirname("a//b"), dirname("//a")); exit(0); }
