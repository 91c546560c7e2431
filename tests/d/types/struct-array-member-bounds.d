struct s { int a[4]; };
struct s v;
BEGIN { i = 4; v.a[i] = 5; printf("never"); }
BEGIN { exit(0); }
