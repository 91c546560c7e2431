BEGIN { this->p = alloca(16); bcopy((void *)8, this->p, 16); printf("never"); }
BEGIN { exit(0); }
