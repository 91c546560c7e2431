BEGIN { x = 5; printf("%d %d", sizeof(x < 6), (x < 6) + (x == 5)); exit(0); }
