#pragma D option bufresize=manual
BEGIN { printf("x"); exit(0); }
