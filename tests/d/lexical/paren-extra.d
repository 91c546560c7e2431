BEGIN { x = 1); }
