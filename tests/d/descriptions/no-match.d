dtrace:::NOSUCH { exit(0); }
