struct in { char a; int b; };
struct out { int n; struct in i; struct in j; };
struct out o;
BEGIN { o.i.b = 5; o.j.a = 'x'; o.j.b = o.i.b + 1; printf("%d %c %d %d", o.i.b, o.j.a, o.j.b, o.n); exit(0); }
