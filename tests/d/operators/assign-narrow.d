BEGIN { c = (char)0; c = 300; s = (short)0; s = 70000; printf("%d %d", c, s); exit(0); }
