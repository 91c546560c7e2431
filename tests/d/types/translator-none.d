struct out { int a; };
BEGIN { x = xlate <struct out *> (curthread)->a; }
