struct out { int a; int b; };
translator struct out < struct task_struct *t > { a = t->tgid; b = 7; };
struct out v;
BEGIN { v = xlate <struct out> (curthread); printf("%d %d", v.a == pid, v.b); exit(0); }
