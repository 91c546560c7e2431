BEGIN { n = 16; this->p = (char *)alloca(n); this->p[15] = 'x'; printf("%c", this->p[15]); exit(0); }
