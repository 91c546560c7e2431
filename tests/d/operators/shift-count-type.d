/* The result has the type of the left operand. */
BEGIN { x = 1; printf("%d %d", sizeof(x << 1l), sizeof((char)x << 1)); exit(0); }
