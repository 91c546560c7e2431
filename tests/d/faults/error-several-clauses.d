ERROR { printf("1"); }
ERROR { printf("2"); }
BEGIN { x = *(int *)8; }
BEGIN { exit(0); }
