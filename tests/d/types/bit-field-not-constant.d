struct b { int a : pid; };
