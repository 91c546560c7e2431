BEGIN { printf("%d", curthread->comm == execname); printf("%s", curthread->comm == "x" ? "" : " ok"); exit(0); }
