int x;
uint64_t y;
BEGIN { printf("%d %d ", x, y); x = -1; y = -1; printf("%d %d", x, y > 0); exit(0); }
