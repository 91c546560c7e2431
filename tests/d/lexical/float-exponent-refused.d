BEGIN { x = 1e5; }
