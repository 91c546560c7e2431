inline int two = 2;
inline int plus[int a, int b] = a + b;
BEGIN { x = 5; printf("%d %d", x * two, plus[x, plus[1, 2]]); exit(0); }
