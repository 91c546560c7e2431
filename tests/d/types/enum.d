enum color { RED, GREEN = 5, BLUE };
BEGIN { printf("%d %d %d %d", RED, GREEN, BLUE, sizeof(enum color)); exit(0); }
