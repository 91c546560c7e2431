/* The index is computed once. */
BEGIN { i = 1; a[i++] += 5; a[i++]++; printf("%d %d %d", a[1], a[2], i); exit(0); }
