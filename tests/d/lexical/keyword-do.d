BEGIN { do = 1; }
