BEGIN { printf("%c", "hello"[1]); exit(0); }
