struct b { int x; }; struct a { struct b b; int y; };
translator struct a < int i > { b = xlate <struct a> (i); y = (xlate <struct a> (i)).y; y = i; };
BEGIN { v = xlate <struct a> (1); trace((xlate <struct a *> (2))->y); }
