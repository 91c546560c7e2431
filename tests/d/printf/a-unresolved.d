BEGIN { printf("%a", (uintptr_t)16); exit(0); }
