BEGIN { x = *(int *)8; exit(1); }
BEGIN { exit(0); }
