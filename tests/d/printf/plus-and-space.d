BEGIN { x = 5; y = -5; printf("[%+d][%+d][% d][% d]", x, y, x, y); exit(0); }
