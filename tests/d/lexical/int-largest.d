BEGIN { printf("%u %x", 18446744073709551615u, 0xffffffffffffffff); exit(0); }
