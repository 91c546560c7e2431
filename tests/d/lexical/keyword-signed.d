BEGIN { signed = 1; }
