BEGIN { x = 0; if (x) printf("never"); trace(1); if (!x) printf("yes"); exit(0); }
