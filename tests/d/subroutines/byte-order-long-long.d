BEGIN { x = 0x123456789abcdef0; printf("%x %x", htonll(x), ntohll(htonll(x))); exit(0); }
