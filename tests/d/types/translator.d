struct out { int sum; string text; };
translator struct out < struct task_struct *t > { sum = t->tgid + 1; text = t->comm; };
BEGIN { printf("%d %d", xlate <struct out *> (curthread)->sum == pid + 1, xlate <struct out *> (curthread)->text == execname); exit(0); }
