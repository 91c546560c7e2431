BEGIN { x = 0; printf("never"); y = 1 / x; }
BEGIN { printf("on"); exit(0); }
