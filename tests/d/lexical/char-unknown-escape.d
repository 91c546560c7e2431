BEGIN { printf("%c%c", '\q', '\%'); exit(0); }
