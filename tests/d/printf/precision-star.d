BEGIN { s = "abcdef"; n = 2; printf("[%.*s][%*.*s]", n, s, 5, n, s); exit(0); }
