struct s { int a; int b; };
this struct s v;
BEGIN { this->v.a = 1; this->v.b = 2; printf("%d %d", this->v.a, this->v.b); exit(0); }
