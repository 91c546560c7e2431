BEGIN { x = 0; if (x) y = *(int *)8; printf("fine"); exit(0); }
