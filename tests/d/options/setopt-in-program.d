BEGIN { setopt("switchrate", "10hz"); setopt("aggrate", "2s"); printf("x"); exit(0); }
