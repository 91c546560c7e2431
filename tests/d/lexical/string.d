BEGIN { printf("%s|%s|%s", "", "a b", "\"q\""); exit(0); }
