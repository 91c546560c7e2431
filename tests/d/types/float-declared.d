float f;
double d;
BEGIN { printf("%d %d", sizeof(f), sizeof(d)); exit(0); }
