BEGIN { printf("%d %d", sizeof(timestamp), sizeof(walltimestamp)); exit(0); }
