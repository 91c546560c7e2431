/* Every bit counts. */
BEGIN { x = 0x100000000; printf("%d %d %d %d", x && 1, x || 0, !x, x ^^ 0); exit(0); }
