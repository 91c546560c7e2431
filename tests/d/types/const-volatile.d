const int a;
volatile unsigned b;
BEGIN { printf("%d %d", sizeof(a), sizeof(b)); exit(0); }
