BEGIN { auto = 1; }
