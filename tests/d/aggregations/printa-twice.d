BEGIN { @ = sum(5); exit(0); }
END { printa("%@d ", @); printa("%@d", @); }
