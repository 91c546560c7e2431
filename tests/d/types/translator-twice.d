struct out { int a; };
translator struct out < struct task_struct *t > { a = 1; };
translator struct out < struct task_struct *t > { a = 2; };
