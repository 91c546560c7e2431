BEGIN { printf("%s", "a\tb\\c\'d\?e\nf"); exit(0); }
