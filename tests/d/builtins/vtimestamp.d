BEGIN { printf("%d", vtimestamp > 0); exit(0); }
