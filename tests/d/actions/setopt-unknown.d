BEGIN { setopt("nosuch"); exit(0); }
