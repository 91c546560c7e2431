BEGIN / pid == 0 / { printf("no"); }
BEGIN / pid != 0 / { printf("yes"); exit(0); }
