/* options: -c /bin/false */
syscall::exit_group:entry / pid == $target / { printf("%d", args[0]); }
