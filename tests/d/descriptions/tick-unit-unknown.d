tick-5parsec { exit(0); }
