BEGIN { x = (dev_t)0x800011; printf("%d %d", getmajor(x), getminor(x)); exit(0); }
