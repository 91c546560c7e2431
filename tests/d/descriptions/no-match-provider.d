nosuch:::x { exit(0); }
