struct point { int x; int y; };
struct point p, q;
BEGIN { p.x = 3; p.y = 4; q = p; p.x = 9; printf("%d %d %d", q.x, q.y, p.x); exit(0); }
