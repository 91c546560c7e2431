BEGIN { exit(0); }
END { printf("bye"); }
