BEGIN { @ = sum(*(int *)8); @ = sum(1); }
BEGIN { exit(0); }
