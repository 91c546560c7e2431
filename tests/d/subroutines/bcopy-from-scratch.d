BEGIN { this->p = (int *)alloca(8); this->q = (int *)alloca(8); this->p[1] = 77; bcopy(this->p, this->q, 8); printf("%d", this->q[1]); exit(0); }
