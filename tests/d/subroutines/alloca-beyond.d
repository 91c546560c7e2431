BEGIN { this->p = (char *)alloca(8); this->p[100000] = 1; printf("never"); }
BEGIN { exit(0); }
