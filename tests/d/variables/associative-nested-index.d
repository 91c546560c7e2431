BEGIN { a[1] = 2; a[2] = 3; a[3] = 4; printf("%d", a[a[a[1]]]); exit(0); }
