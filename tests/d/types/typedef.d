typedef unsigned short u16_mine;
typedef u16_mine other;
other v;
BEGIN { v = 70000; printf("%u %d", v, sizeof(other)); exit(0); }
