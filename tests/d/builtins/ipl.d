BEGIN { printf("%d", ipl); exit(0); }
