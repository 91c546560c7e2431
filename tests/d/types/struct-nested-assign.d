struct in { int a; int b; };
struct out { int n; struct in i; };
struct out o;
struct in v;
BEGIN { v.a = 7; v.b = 8; o.i = v; v.a = 0; v = o.i; printf("%d %d %d", o.i.a, o.i.b, v.a); exit(0); }
