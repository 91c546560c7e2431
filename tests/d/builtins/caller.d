/* The caller of the traced function lies in the kernel's text. */
syscall:::entry { x = caller; exit(0); }
END { printf("%d", x > 0xffffffff00000000); }
