BEGIN { printf("a"); printf("b"); x = *(int *)8; printf("c"); }
BEGIN { printf("d"); exit(0); }
