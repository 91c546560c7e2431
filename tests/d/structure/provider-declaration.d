provider mine { probe go(int, char *); probe stop(); };
BEGIN { printf("x"); exit(0); }
