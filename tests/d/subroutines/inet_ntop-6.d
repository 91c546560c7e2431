BEGIN { this->p = (uint8_t *)alloca(16); this->p[0] = 0x20; this->p[1] = 0x01; this->p[2] = 0x0d; this->p[3] = 0xb8; this->p[15] = 1; printf("%s", inet_ntop(AF_INET6, this->p)); exit(0); }
