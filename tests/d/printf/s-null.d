BEGIN { s = "x"; s = NULL; printf("[%s]", s); exit(0); }
