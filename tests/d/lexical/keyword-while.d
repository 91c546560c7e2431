BEGIN { while = 1; }
