BEGIN { this->p = alloca(16); bcopy(curthread->comm, this->p, 100000); printf("never"); }
BEGIN { exit(0); }
