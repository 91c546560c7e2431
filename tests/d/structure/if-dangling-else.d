BEGIN { x = 1; y = 0; if (x) if (y) printf("a"); else printf("b"); exit(0); }
