BEGIN { printf("%d %d %d %d %d", sizeof(1), sizeof(1u), sizeof(1l), sizeof(1ul), sizeof(1ll)); exit(0); }
