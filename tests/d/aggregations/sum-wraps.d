BEGIN { @ = sum(9223372036854775807); @ = sum(1); exit(0); }
END { printa("%@d", @); }
