BEGIN, BEGIN { printf("x"); }
BEGIN { exit(0); }
