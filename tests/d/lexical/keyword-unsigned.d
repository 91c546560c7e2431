BEGIN { unsigned = 1; }
