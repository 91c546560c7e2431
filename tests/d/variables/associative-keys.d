BEGIN { a["x", 1, 'c'] = 7; s = "x"; i = 1; printf("%d %d %d", a[s, i, 'c'], a["x", 2, 'c'], a["y", 1, 'c']); exit(0); }
