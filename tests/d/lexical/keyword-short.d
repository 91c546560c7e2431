BEGIN { short = 1; }
