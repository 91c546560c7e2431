BEGIN { x = *(int *)8; printf("never"); }
BEGIN { printf("on"); exit(0); }
