BEGIN { exit(0); }
tick-1000s / 0 /
