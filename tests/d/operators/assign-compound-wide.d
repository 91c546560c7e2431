/* Computed in the wider type, then cut. */
BEGIN { c = (char)100; c += 100; u = (uint8_t)200; u *= 2; printf("%d %u", c, u); exit(0); }
