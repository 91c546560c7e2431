/* int with unsigned compares as unsigned, with long as long. */
BEGIN { i = -1; u = 1u; l = 1l; printf("%d %d %d", i < u, i < l, u < l + 1); exit(0); }
