/* An address of the process, or 0 if its stack cannot be walked. */
syscall:::entry { x = ucaller; y = caller; exit(0); }
END { printf("%d %d", x < 0x8000000000000000, x != y); }
