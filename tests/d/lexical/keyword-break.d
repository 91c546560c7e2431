BEGIN { break = 1; }
