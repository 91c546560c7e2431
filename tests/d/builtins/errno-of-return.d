/* options: -c "/bin/cat /nonexistent/file" */
syscall::openat:return / pid == $target && errno == ENOENT / { self->seen = 1; }
syscall::exit_group:entry / pid == $target / { printf("%d", self->seen); }
