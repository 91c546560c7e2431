BEGIN { x = (uint8_t)200; y = 0xffffffffu; @ = sum(x); @ = sum(y); exit(0); }
END { printa("%@d", @); }
