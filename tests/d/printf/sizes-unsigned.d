BEGIN { printf("%hu %lu %llx %lo", (unsigned short)7, (unsigned long)8, (unsigned long long)255, (unsigned long)8); exit(0); }
