syscall:::entry / pid == $pid / { printf("%d", ustackdepth >= 1 && ustackdepth <= 127); exit(0); }
