int x = 5;
BEGIN { exit(0); }
