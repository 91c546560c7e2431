BEGIN { this->p = copyin(8, 4); printf("never"); }
BEGIN { exit(0); }
