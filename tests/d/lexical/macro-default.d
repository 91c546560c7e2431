/* options: -x defaultargs */
BEGIN { printf("%d|%s|%d", $1, $$1, $7 + 1); exit(0); }
