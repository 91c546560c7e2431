/* Distinct for each clause. */
BEGIN { a = epid; }
BEGIN { b = epid; printf("%d %d %d", a != b, a == 0, sizeof(epid)); exit(0); }
