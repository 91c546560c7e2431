BEGIN { this->m = (struct mutex *)alloca(sizeof(struct mutex)); printf("%d %d", mutex_owned(this->m), mutex_owner(this->m) == NULL); exit(0); }
