enum e { A = 1 << 4, B = A | 3, C = sizeof(int) };
BEGIN { printf("%d %d %d", A, B, C); exit(0); }
