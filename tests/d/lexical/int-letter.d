BEGIN { x = 12x; }
