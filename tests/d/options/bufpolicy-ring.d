#pragma D option bufpolicy=ring
BEGIN { printf("x"); exit(0); }
