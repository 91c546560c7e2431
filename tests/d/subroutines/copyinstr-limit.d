BEGIN { printf("%d", strlen(copyinstr(curthread->mm->arg_start, 2))); exit(0); }
