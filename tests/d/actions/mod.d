BEGIN { mod((uintptr_t)&`schedule); exit(0); }
