BEGIN { x = 0x1234; printf("%x %x", htons(x), ntohs(htons(x))); exit(0); }
