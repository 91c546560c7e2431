BEGIN { printf("%s", stringof(curthread->comm) == execname ? "same" : "other"); exit(0); }
