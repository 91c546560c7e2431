BEGIN { this->p = (uint8_t *)alloca(16); printf("%s ", inet_ntop(AF_INET6, this->p)); this->p[15] = 1; printf("%s", inet_ntop(AF_INET6, this->p)); exit(0); }
