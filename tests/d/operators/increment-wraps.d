BEGIN { c = (char)127; c++; u = (uint8_t)0; u--; printf("%d %u", c, u); exit(0); }
