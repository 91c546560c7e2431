#pragma D option nolibs
BEGIN { printf("x"); exit(0); }
