BEGIN { this->p = (uint32_t *)alloca(4); *this->p = htonl(0x7f000001); printf("%s", inet_ntop(AF_INET, this->p)); exit(0); }
