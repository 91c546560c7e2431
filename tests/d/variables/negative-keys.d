BEGIN { a[-1] = 5; i = -1; printf("%d %d", a[i], a[1]); exit(0); }
