BEGIN { printf("%d %d %d %d %d %d", sizeof(uchar_t), sizeof(ushort_t), sizeof(uint_t), sizeof(ulong_t), sizeof(u_longlong_t), sizeof(id_t)); exit(0); }
