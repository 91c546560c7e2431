BEGIN { x = 42; w = 6; printf("[%*d][%-*d][%*s]", w, x, w, x, 4, "ab"); exit(0); }
