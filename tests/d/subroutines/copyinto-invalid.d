BEGIN { this->p = alloca(16); copyinto(8, 4, this->p); printf("never"); }
BEGIN { exit(0); }
