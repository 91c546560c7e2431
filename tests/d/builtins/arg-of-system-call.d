/* options: -c /bin/false */
syscall::exit_group:entry / pid == $target / { printf("%d %d", arg0, arg1 == arg1); }
