BEGIN { x = rand(); y = rand(); z = rand(); printf("%d %d", x >= 0 && y >= 0 && z >= 0, x != y || y != z); exit(0); }
