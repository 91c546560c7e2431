BEGIN { this->p = (int64_t *)alloca(16); this->p[1] = 42; this->q = (int64_t **)alloca(8); *this->q = this->p + 1; printf("%d", **this->q); exit(0); }
