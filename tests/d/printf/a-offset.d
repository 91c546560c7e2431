BEGIN { printf("%a", (uintptr_t)&`schedule + 1); exit(0); }
