_Bool b;
BEGIN { b = 5; printf("%d ", b); b = 0; printf("%d ", b); b++; b++; printf("%d %d", b, sizeof(b)); exit(0); }
