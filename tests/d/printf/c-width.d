BEGIN { printf("[%3c][%-3c]", 'a', 'b'); exit(0); }
