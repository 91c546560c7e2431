enum e { A = -2, B, C };
BEGIN { printf("%d %d %d", A, B, C); exit(0); }
