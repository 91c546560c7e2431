int64_t m[string, int];
BEGIN { m["a", 1] = 1 << 20; printf("%d %d", m["a", 1], sizeof(m["a", 1])); exit(0); }
