BEGIN { x = -123; printf("%s %s %s", lltostr(x), lltostr(0), lltostr(9223372036854775807)); exit(0); }
