BEGIN { printf("%s", "\x41\x42"); exit(0); }
