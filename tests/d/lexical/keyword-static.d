BEGIN { static = 1; }
