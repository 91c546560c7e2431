BEGIN { printf("%s %s %s %s", dirname("/a/b/"), dirname("a"), dirname("/"), dirname("/usr/lib/x.so")); exit(0); }
