BEGIN { printf("%d %d %d %d %d", sizeof(float), sizeof(double), sizeof(_Bool), sizeof(void *), sizeof(int [7])); exit(0); }
