enum color { RED, GREEN = 5 };
enum color c;
BEGIN { c = GREEN; printf("%d %d", c, c == GREEN); exit(0); }
