BEGIN { case = 1; }
