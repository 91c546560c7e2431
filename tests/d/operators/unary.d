BEGIN { x = 5; printf("%d %d %d %d %d", -x, +x, !x, !!x, ~-x); exit(0); }
