BEGIN { provider = 1; }
