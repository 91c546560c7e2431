BEGIN { x = 5; a[0] = 3; printf("%d %d %d", -x * 2, !x + 1, -a[0]++); exit(0); }
