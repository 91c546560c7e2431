BEGIN { x = 256; printf("%d %d", (_Bool)x, (_Bool)0); exit(0); }
