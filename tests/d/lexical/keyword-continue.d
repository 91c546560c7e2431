BEGIN { continue = 1; }
