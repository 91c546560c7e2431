BEGIN { a[(uint8_t)200] = 1; printf("%d %d", a[200], a[(uint8_t)201]); exit(0); }
