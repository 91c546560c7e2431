struct s { char a; short b; char c; long d; char e; };
BEGIN { printf("%d %d %d %d %d", sizeof(struct s), offsetof(struct s, b), offsetof(struct s, c), offsetof(struct s, d), offsetof(struct s, e)); exit(0); }
