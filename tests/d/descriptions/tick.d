tick-1ms { printf("%s %s", probeprov, probename); exit(0); }
