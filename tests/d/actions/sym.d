BEGIN { sym((uintptr_t)&`schedule); exit(0); }
