BEGIN { speculate("x"); }
