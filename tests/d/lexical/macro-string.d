/* args: "'a b'" '"quoted"' */
BEGIN { printf("%s %s", $$1, $$2); exit(0); }
