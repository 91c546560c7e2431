BEGIN { x = 42; printf("[%.4d][%8.4d][%-8.4d][%.4x]", x, x, x, x); exit(0); }
