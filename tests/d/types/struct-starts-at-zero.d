struct point { int x; int y; };
struct point p;
BEGIN { p.y = 1; printf("%d %d", p.x, p.y); exit(0); }
