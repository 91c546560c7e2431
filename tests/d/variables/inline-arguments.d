inline int f[int a, int b] = a - b;
BEGIN { x = f[1]; }
