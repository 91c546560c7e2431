BEGIN { enum = 1; }
