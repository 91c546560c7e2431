BEGIN { exit(0); }
tick-1ms { printf("never"); }
END { printf("end"); }
