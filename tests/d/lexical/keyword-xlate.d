BEGIN { xlate = 1; }
