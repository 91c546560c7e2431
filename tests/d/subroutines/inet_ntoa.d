BEGIN { this->p = (ipaddr_t *)alloca(4); *this->p = htonl(0xc0a80117); printf("%s", inet_ntoa(this->p)); exit(0); }
