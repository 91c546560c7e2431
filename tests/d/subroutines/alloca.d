BEGIN { this->p = (int *)alloca(8); this->p[0] = 3; this->p[1] = this->p[0] + 4; printf("%d %d", this->p[0], this->p[1]); exit(0); }
