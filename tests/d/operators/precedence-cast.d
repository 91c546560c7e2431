BEGIN { x = 300; printf("%d %d", (char)x + 1, (char)(x + 1)); exit(0); }
