BEGIN { switch = 1; }
