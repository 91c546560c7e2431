/* options: -w -c "/bin/sleep 100" */
syscall::clock_nanosleep:entry / pid == $target / { raise(SIGKILL); printf("raised"); }
