BEGIN { volatile = 1; }
