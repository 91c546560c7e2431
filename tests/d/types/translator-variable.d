struct out { int a; };
translator struct out < struct task_struct *t > { a = t->tgid; };
this struct out *p;
BEGIN { this->p = xlate <struct out *> (curthread); printf("%d", this->p->a == pid); exit(0); }
