struct in { int x; char y[4]; };
struct s { char c; short h; int i; long l; struct in n; };
BEGIN { printf("%d %d %d %d %d", offsetof(struct s, c), offsetof(struct s, h), offsetof(struct s, i), offsetof(struct s, l), offsetof(struct s, n.y)); exit(0); }
