BEGIN { @ = count(); @ = count(); @_ = count(); exit(0); }
END { printa("%@d", @); }
