BEGIN { p = (int *)0x1000; printf("%x %x", (uintptr_t)p, (uintptr_t)(char *)p); exit(0); }
