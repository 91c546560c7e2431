BEGIN { return = 1; }
