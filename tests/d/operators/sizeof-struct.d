struct s { char c; int i; char d; };
BEGIN { printf("%d %d", sizeof(struct s), sizeof(struct task_struct) > 1000); exit(0); }
