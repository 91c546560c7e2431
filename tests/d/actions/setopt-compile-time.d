BEGIN { setopt("strsize", "5"); setopt("aggsize", "5"); exit(0); }
