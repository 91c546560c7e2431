BEGIN { _ = 1; a1 = 2; A_b9 = 3; __x__ = 4; printf("%d %d %d %d", _, a1, A_b9, __x__); exit(0); }
