BEGIN { n = 99999; this->p = alloca(n); }
ERROR { printf("%d", arg4); exit(0); }
