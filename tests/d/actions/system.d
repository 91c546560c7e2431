/* options: -w */
BEGIN { system("echo %s %d", "a", 5); exit(0); }
