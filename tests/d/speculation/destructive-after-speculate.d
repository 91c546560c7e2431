/* options: -w */
BEGIN { speculate(1); system("true"); }
