struct out { int a; };
translator struct out < struct task_struct *t > { a = "text"; };
BEGIN { x = xlate <struct out *> (curthread)->a; }
