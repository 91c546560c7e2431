/* Its argument is evaluated where it is used. */
inline int both[int n] = n + n;
BEGIN { x = 1; y = both[x++]; printf("%d %d", x, y); exit(0); }
