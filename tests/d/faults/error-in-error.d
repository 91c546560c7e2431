ERROR { x = *(int *)8; printf("never"); }
BEGIN { x = *(int *)16; }
BEGIN { exit(0); }
