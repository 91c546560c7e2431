BEGIN { restrict = 1; }
