BEGIN { a = "ab"; b = "abc"; e = ""; printf("%d%d%d%d", a < b, b > a, e < a, a == "ab"); exit(0); }
