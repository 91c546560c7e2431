BEGIN { printf("%d", curthread->comm[0] == execname[0]); exit(0); }
