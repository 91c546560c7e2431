struct b { unsigned long a : 40; unsigned long b : 24; };
struct b v;
BEGIN { v.a = 0xffffffffffff; v.b = 0x123456; printf("%x %x %d", v.a, v.b, sizeof(v)); exit(0); }
