BEGIN { a[(char)1] = 5; i = 1; printf("%d", a[i]); exit(0); }
