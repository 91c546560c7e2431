BEGIN { stringof = 1; }
