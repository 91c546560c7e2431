struct s { int a[4]; };
struct s v;
BEGIN { v.a[4] = 1; }
