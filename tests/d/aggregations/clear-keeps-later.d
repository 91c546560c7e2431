BEGIN { @ = sum(5); clear(@); @ = sum(1); exit(0); }
END { printa("%@d", @); }
