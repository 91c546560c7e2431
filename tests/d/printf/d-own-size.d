BEGIN { printf("%d %d %d %d", (int8_t)-1, (int16_t)-2, (int32_t)-3, (int64_t)-4); exit(0); }
