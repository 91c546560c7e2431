BEGIN { printf("%d %d %d %d %d", sizeof(intptr_t), sizeof(uintptr_t), sizeof(ptrdiff_t), sizeof(size_t), sizeof(ssize_t)); exit(0); }
