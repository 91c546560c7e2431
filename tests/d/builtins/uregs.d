/* options: -c /bin/true */
syscall:::entry / pid == $target / { printf("%d", uregs[R_RIP] != 0 && uregs[R_SP] != 0 && uregs[R_PC] == uregs[R_RIP]); exit(0); }
