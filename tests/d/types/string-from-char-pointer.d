BEGIN { this->p = (char *)alloca(8); this->p[0] = 'h'; this->p[1] = 'i'; s = stringof(this->p); printf("%s", s); exit(0); }
