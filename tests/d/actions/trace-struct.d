struct s { char a; char b; char c[2]; };
struct s v;
BEGIN { v.a = 'A'; v.b = 'B'; v.c[0] = 1; v.c[1] = 255; trace(v); exit(0); }
