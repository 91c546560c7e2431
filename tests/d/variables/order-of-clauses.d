BEGIN { x = 1; }
BEGIN / x == 1 / { x = 2; }
BEGIN / x == 2 / { printf("two"); x = 3; }
BEGIN / x == 2 / { printf("never"); }
BEGIN { exit(0); }
