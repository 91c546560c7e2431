BEGIN { this->m = (struct mutex *)alloca(sizeof(struct mutex)); *(uint64_t *)this->m = (uint64_t)curthread | 1; printf("%d %d", mutex_owned(this->m), mutex_owner(this->m) == curthread); exit(0); }
