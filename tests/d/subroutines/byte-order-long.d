BEGIN { x = 0x12345678; printf("%x %x", htonl(x), ntohl(htonl(x))); exit(0); }
