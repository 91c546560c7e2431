BEGIN { printf("%c", '"'); exit(0); }
