BEGIN { printf("%d %d %d %d", '\\', '\'', '\"', '\?'); exit(0); }
