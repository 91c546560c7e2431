/* options: -c /bin/true */
syscall::exit_group:entry / pid == $target / { printf("%s:%s:%s:%s", probeprov, probemod, probefunc, probename); }
