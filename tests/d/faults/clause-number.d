BEGIN { x = 1; }
BEGIN { x = *(int *)8; }
BEGIN { exit(0); }
