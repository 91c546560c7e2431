BEGIN { x = alloca(8); exit(0); }
