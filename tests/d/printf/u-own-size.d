BEGIN { x = -1; printf("%u %u %u %u", (int8_t)x, (int16_t)x, x, (int64_t)x); exit(0); }
