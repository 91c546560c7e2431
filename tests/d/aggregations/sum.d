BEGIN { @ = sum(3); @ = sum(-10); exit(0); }
END { printa("%@d", @); }
