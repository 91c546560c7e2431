unsigned u;
signed s;
BEGIN { u = -1; s = -1; printf("%d %d %d", sizeof(u), u > 0, s < 0); exit(0); }
