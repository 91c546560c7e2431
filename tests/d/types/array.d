int a[4];
BEGIN { i = 1; a[0] = 5; a[i] = 6; a[3] = a[0] + a[1]; printf("%d %d %d %d", a[0], a[1], a[2], a[3]); exit(0); }
