BEGIN { this->p = (int *)alloca(4); this->q = (int *)alloca(4); *this->p = 1; *this->q = 2; printf("%d %d", *this->p, *this->q); exit(0); }
