BEGIN { printf("%d", $target); exit(0); }
