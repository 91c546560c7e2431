BEGIN { this->p = (uint8_t *)alloca(6); this->p[0] = 1; this->p[4] = 0xAB; this->p[5] = 0x10; printf("%s", link_ntop(ARPHRD_ETHER, this->p)); exit(0); }
