BEGIN { this = 1; }
