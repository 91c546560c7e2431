syscall::close:entry, syscall::kill:entry { x = args[0]; }
