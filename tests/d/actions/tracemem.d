BEGIN { this->p = (char *)alloca(20); this->p[0] = 'a'; this->p[1] = 'b'; this->p[16] = 'z'; tracemem(this->p, 20); exit(0); }
