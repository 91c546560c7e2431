BEGIN { printf("%s", strtok(NULL, ",")); }
BEGIN { exit(0); }
