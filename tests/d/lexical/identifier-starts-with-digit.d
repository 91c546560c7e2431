BEGIN { 1x = 1; }
