BEGIN { char = 1; }
