BEGIN { s = "abcdef"; printf("[%.3s][%8.3s][%-8.3s][%.0s]", s, s, s, s); exit(0); }
