BEGIN { a[curthread] = 3; printf("%d", a[curthread]); exit(0); }
