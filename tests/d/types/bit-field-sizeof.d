struct b { int a : 3; };
struct b v;
BEGIN { x = sizeof(v.a); }
