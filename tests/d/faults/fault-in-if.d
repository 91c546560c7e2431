BEGIN { x = 1; if (x) y = *(int *)8; printf("never"); }
BEGIN { exit(0); }
