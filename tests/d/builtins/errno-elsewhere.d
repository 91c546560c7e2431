BEGIN { printf("%d", errno); exit(0); }
