BEGIN { x = timestamp; }
tick-10ms { printf("%d %d", timestamp > x, timestamp - x < 60000000000); exit(0); }
