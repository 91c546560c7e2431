BEGIN { x = 42; w = -6; printf("[%*d]", w, x); exit(0); }
