struct s { int a; char b; long c; };
BEGIN { this->p = (struct s *)alloca(sizeof(struct s)); this->p->a = 1; this->p->b = 2; this->p->c = -3; printf("%d %d %d", this->p->a, this->p->b, this->p->c); exit(0); }
