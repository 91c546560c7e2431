BEGIN { printf("%d", stackdepth > 0 && stackdepth <= 127); exit(0); }
