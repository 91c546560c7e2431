BEGIN { @[stack(2)] = count(); exit(0); }
END { printa("%@d", @); }
