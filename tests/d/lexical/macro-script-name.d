BEGIN { printf("%s", $$0); exit(0); }
