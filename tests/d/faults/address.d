BEGIN { x = *(int *)0x1234; }
BEGIN { exit(0); }
