typedef struct task_struct *task_p;
BEGIN { this->t = (task_p)curthread; printf("%d", this->t->tgid == pid); exit(0); }
