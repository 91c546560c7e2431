#pragma D option stackindent=3
BEGIN { printf("x"); exit(0); }
