BEGIN { @ = max(-7); @ = max(-9); exit(0); }
END { printa("%@d", @); }
