BEGIN { x = -1; printf("%u %u %u %u", (uint8_t)x, (uint16_t)x, (uint32_t)x, (uint64_t)x); exit(0); }
