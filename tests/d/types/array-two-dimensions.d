struct s { int a[2][3]; };
struct s v;
BEGIN { i = 1; v.a[1][2] = 7; v.a[0][i] = 4; printf("%d %d %d %d", v.a[i][2], v.a[0][1], v.a[1][1], sizeof(v)); exit(0); }
