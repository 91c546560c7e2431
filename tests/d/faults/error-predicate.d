ERROR / arg4 == 4 / { printf("division"); }
ERROR / arg4 == 1 / { printf("address"); }
BEGIN { x = *(int *)8; }
BEGIN { exit(0); }
