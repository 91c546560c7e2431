struct b { int a : 3; };
BEGIN { this->p = (struct b *)alloca(8); x = &this->p->a; }
