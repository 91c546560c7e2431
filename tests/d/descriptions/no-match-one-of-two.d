BEGIN, nosuch:::x { exit(0); }
