BEGIN / / { exit(0); }
