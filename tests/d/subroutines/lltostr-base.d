BEGIN { x = 255; printf("%s %s %s %s", lltostr(x, 16), lltostr(x, 8), lltostr(x, 2), lltostr(x, 36)); exit(0); }
