BEGIN { this->p = (uint64_t *)alloca(16); this->p[0] = htonll(0x0001000200030004); this->p[1] = htonll(0x000500060007abcd); printf("%s", inet_ntop(AF_INET6, this->p)); exit(0); }
