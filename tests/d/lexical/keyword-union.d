BEGIN { union = 1; }
