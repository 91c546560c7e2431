BEGIN { setopt("switchrate", "abc"); exit(0); }
