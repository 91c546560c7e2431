/* args: 42 abc */
BEGIN { printf("%s %s %d", $$1, $$2, strlen($$1)); exit(0); }
