BEGIN { printf("%d", BPF_MAP_TYPE_HASH); exit(0); }
