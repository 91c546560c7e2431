BEGIN { @ = count(); @ = count(); exit(0); }
END { printa("%@d", @); }
