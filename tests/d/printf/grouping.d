BEGIN { printf("%'d", 1234567); exit(0); }
