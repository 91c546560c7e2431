BEGIN { this->p = (uint8_t *)alloca(16); printf("%s", inet_ntop(99, this->p)); }
BEGIN { exit(0); }
