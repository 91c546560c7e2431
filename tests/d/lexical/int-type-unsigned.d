BEGIN { printf("%d %d %d", sizeof(4294967295u), sizeof(4294967296u), -1 > 1u); exit(0); }
