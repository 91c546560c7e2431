inline int twice[int n] = n * 2;
BEGIN { x = 21; printf("%d %d", twice[x], twice[twice[1]]); exit(0); }
