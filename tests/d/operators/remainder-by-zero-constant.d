BEGIN { x = 1 % (3 - 3); }
