BEGIN { this->p = (uint8_t *)alloca(16); this->p[0] = 0xfe; this->p[1] = 0x80; this->p[15] = 0x10; printf("%s", inet_ntoa6((struct in6_addr *)this->p)); exit(0); }
