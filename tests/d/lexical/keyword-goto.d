BEGIN { goto = 1; }
