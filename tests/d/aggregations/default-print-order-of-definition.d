BEGIN { @b = count(); @a = sum(5); exit(0); }
