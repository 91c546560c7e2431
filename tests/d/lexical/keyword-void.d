BEGIN { void = 1; }
