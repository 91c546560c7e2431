BEGIN { printf("%S", "a\tb\nc"); exit(0); }
