BEGIN / a[1 == 1 / { exit(0); }
