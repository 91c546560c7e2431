/* options: -c /bin/true */
syscall::exit_g*:entry / pid == $target / { printf("%s", probefunc); }
