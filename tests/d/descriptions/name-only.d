BEGIN { printf("%s|%s|%s|%s", probeprov, probemod, probefunc, probename); exit(0); }
