/* Bytes are unsigned. */
BEGIN { a = "\xff"; b = "a"; printf("%d%d", a > b, a < b); exit(0); }
