long int a;
unsigned long int b;
long long int c;
short int d;
unsigned short e;
long unsigned f;
BEGIN { printf("%d %d %d %d %d %d", sizeof(a), sizeof(b), sizeof(c), sizeof(d), sizeof(e), sizeof(f)); exit(0); }
