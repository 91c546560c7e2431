BEGIN { x = 1; z = 0; printf("%d %d %s", x ? 10 : 20, z ? 10 : 20, x ? "yes" : "no"); exit(0); }
