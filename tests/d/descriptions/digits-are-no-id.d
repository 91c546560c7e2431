1 { exit(0); }
