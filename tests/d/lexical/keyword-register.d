BEGIN { register = 1; }
