BEGIN { a[0x100000001] = 5; printf("%d %d", a[0x100000001], a[1]); exit(0); }
