ERROR { printf("error "); }
BEGIN { x = *(int *)8; }
BEGIN { printf("end"); exit(0); }
