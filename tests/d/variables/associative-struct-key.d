struct k { int a; int b; };
struct k v, w;
int m[struct k];
BEGIN { v.a = 1; v.b = 2; w.a = 1; w.b = 3; m[v] = 5; m[w] = 6; w.b = 2; printf("%d %d", m[v], m[w]); exit(0); }
