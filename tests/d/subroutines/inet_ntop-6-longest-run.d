/* The longer run of zeros is left out; a single zero is not. */
BEGIN { this->p = (uint64_t *)alloca(16); this->p[0] = htonll(0x2001000000000001); this->p[1] = htonll(0x0000000000000001); printf("%s ", inet_ntop(AF_INET6, this->p)); this->p[0] = htonll(0x2001000000010001); this->p[1] = htonll(0x0001000100010001); printf("%s", inet_ntop(AF_INET6, this->p)); exit(0); }
