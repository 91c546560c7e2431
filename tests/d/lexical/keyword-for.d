BEGIN { for = 1; }
