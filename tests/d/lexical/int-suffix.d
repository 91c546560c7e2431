BEGIN { printf("%d %d %d %d %d %d", 1u, 1U, 1l, 1L, 1ul, 1UL); printf(" %d %d %d %d %d", 1lu, 1ll, 1LL, 1ull, 1ULL); exit(0); }
