BEGIN { printf("%s %s %s %s", basename("/a/b/"), basename("/"), basename(""), basename("/usr/lib/x.so")); exit(0); }
