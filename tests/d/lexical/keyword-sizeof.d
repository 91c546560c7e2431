BEGIN { sizeof = 1; }
