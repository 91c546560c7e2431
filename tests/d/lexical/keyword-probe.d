BEGIN { probe = 1; }
