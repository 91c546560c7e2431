#pragma D option bufpolicy=fill
BEGIN { printf("x"); exit(0); }
