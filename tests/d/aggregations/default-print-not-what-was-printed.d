BEGIN { @a = count(); @b = sum(2); exit(0); }
END { printa("a %@d\n", @a); }
