struct b { int a : 33; };
