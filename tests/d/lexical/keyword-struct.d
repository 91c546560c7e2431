BEGIN { struct = 1; }
