BEGIN { printf("%d %d", curthread->comm == execname, curthread->comm == "nothing"); exit(0); }
