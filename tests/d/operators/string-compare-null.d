BEGIN { a = "x"; e = ""; printf("%d %d", a == NULL, a != NULL); exit(0); }
