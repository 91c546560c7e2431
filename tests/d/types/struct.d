struct point { int x; int y; };
struct point p;
BEGIN { p.x = 3; p.y = -4; printf("%d %d %d", p.x, p.y, sizeof(p)); exit(0); }
