struct out { int a; int b; };
translator struct out < struct task_struct *t > { a = t->tgid; };
BEGIN { x = xlate <struct out *> (curthread)->b; }
