/* args: abc */
BEGIN { exit(0); }
