BEGIN { printf("%d %d %d %d %d", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long)); exit(0); }
