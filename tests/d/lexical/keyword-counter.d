BEGIN { counter = 1; }
