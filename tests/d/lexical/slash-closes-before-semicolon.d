BEGIN / 0 /;
BEGIN { printf("on"); exit(0); }
