BEGIN { x = 1; y = 0; if (x) { if (y) printf("a"); else printf("b"); } else printf("c"); exit(0); }
