struct s { int a; char b[8]; };
BEGIN { p = (struct s *)0x1000; printf("%p %p", p + 1, &p[2]); exit(0); }
