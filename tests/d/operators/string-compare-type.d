BEGIN { a = "x"; printf("%d", sizeof(a == "x")); exit(0); }
