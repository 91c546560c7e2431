/* 1 is an int, and shifting it out of the int leaves nothing. */
BEGIN { printf("%d %d", 1 << 33, 1l << 33); exit(0); }
