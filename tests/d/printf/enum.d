enum e { A = 3, B };
BEGIN { printf("%d %d", A, (enum e)4); exit(0); }
