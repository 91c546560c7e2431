BEGIN { this->p = (uint8_t *)alloca(20); printf("%s", link_ntop(7, this->p)); }
BEGIN { exit(0); }
