BEGIN { x = 2; if (x == 1) printf("one"); else printf("other"); exit(0); }
