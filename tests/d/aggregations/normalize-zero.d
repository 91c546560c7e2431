BEGIN { @ = sum(1000); n = 0; normalize(@, n); exit(0); }
END { printa("%@d", @); }
