BEGIN { @[execname, pid] = count(); exit(0); }
END { printa("%s %@d", @); }
