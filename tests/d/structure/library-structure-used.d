BEGIN { printf("%d", sizeof(psinfo_t) > 200); exit(0); }
