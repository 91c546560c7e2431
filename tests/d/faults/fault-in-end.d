BEGIN { exit(0); }
END { x = *(int *)8; }
END { printf("end"); }
