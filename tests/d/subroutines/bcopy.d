BEGIN { this->p = alloca(16); bcopy(curthread->comm, this->p, 16); printf("%d", (string)this->p == execname); exit(0); }
