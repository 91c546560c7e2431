BEGIN { a = "abc"; b = "abd"; printf("%d%d%d%d%d%d", a < b, a <= b, a > b, a >= b, a == b, a != b); exit(0); }
