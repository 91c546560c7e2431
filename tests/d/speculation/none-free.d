BEGIN { a = speculation(); b = speculation(); printf("%d %d", a, b); exit(0); }
