BEGIN { this->p = (char *)alloca(100); printf("%d %d %d", this->p[0], this->p[50], this->p[99]); exit(0); }
