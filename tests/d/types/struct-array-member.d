struct s { int a[4]; char t[8]; };
struct s v;
BEGIN { i = 2; v.a[i] = 5; v.a[0] = 1; v.t[1] = 'q'; printf("%d %d %d %c", v.a[0], v.a[1], v.a[i], v.t[1]); exit(0); }
