BEGIN { float = 1; }
