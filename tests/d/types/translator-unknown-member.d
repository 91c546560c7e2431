struct out { int a; };
translator struct out < struct task_struct *t > { b = 1; };
