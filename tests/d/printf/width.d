BEGIN { x = 42; printf("[%5d][%-5d][%05d][%1d]", x, x, x, x); exit(0); }
