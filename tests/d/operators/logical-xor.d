BEGIN { t = 4; u = 2; f = 0; printf("%d%d%d%d", t ^^ u, t ^^ f, f ^^ t, f ^^ f); exit(0); }
