BEGIN { this->l = (rwlock_t *)alloca(sizeof(rwlock_t)); *(uint32_t *)this->l = 0xff; printf("%d %d %d", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l)); exit(0); }
