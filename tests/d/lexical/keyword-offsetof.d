BEGIN { offsetof = 1; }
