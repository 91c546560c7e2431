BEGIN { curthread->tgid = 1; printf("never"); }
BEGIN { printf("on"); exit(0); }
