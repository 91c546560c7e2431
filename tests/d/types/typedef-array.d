typedef int four[4];
BEGIN { printf("%d", sizeof(four)); exit(0); }
