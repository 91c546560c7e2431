/* It binds to the right. */
BEGIN { x = 2; printf("%s", x == 1 ? "one" : x == 2 ? "two" : "more"); exit(0); }
