inline int f[int n] = f[n];
BEGIN { x = f[1]; }
