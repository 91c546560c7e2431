#pragma D option cpu=0
BEGIN { printf("x"); exit(0); }
