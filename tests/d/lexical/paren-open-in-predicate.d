BEGIN / (1 == 1 / { exit(0); }
