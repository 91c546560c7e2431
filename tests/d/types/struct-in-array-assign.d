struct s { int a; int b; };
struct s m[string];
struct s v;
BEGIN { v.a = 1; v.b = 2; m["x"] = v; v = m["y"]; printf("%d %d %d", m["x"].a, m["x"].b, v.a); exit(0); }
