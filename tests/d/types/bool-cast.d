BEGIN { x = 0x100; y = (_Bool)x; z = (_Bool)(x & 1); printf("%d %d", y, z); exit(0); }
