struct b { int a : 3; };
BEGIN { x = offsetof(struct b, a); }
