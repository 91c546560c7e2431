BEGIN { this->p = (char *)alloca(20); this->p[0] = 'a'; n = 2; tracemem(this->p, 20, n); exit(0); }
