BEGIN { this->p = (ipaddr_t *)alloca(4); printf("%s ", inet_ntoa(this->p)); *this->p = 0xffffffff; printf("%s", inet_ntoa(this->p)); exit(0); }
