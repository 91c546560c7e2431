BEGIN { printf("%d %d", (uintptr_t)&`schedule > 0, &`schedule == &vmlinux`schedule); exit(0); }
