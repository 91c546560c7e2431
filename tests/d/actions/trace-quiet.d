BEGIN { trace(42); trace(" "); trace("abc"); trace((char)-1); exit(0); }
