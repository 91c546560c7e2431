struct k { int a; int b; };
struct k v;
BEGIN { v.a = 1; v.b = 2; @[v] = count(); v.b = 3; @[v] = count(); v.b = 2; @[v] = count(); exit(0); }
END { printa("%@d ", @); }
