BEGIN { s = "abc"; s = NULL; printf("[%s] %d", s, s == NULL); exit(0); }
