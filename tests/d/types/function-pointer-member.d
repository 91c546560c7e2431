struct s { int (*f)(int, char *); int b; };
BEGIN { printf("%d %d", sizeof(struct s), offsetof(struct s, b)); exit(0); }
