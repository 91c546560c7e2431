syscall::exit_group:entry { x = args[1]; }
