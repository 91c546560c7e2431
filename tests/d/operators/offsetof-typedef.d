typedef struct s { int a; int b; } s_t;
BEGIN { printf("%d", offsetof(s_t, b)); exit(0); }
