BEGIN { x = strjoin("a", 1); }
