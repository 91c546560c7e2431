BEGIN { x = 0x12345678; printf("%x %x %d", (uint8_t)x, (uint16_t)x, (int8_t)(x | 0x80)); exit(0); }
