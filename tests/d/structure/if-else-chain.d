BEGIN { x = 3; if (x == 1) printf("one"); else if (x == 2) printf("two"); else if (x == 3) { printf("three"); } else { printf("more"); } exit(0); }
