BEGIN { int = 1; }
