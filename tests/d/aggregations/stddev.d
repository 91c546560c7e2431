BEGIN { @ = stddev(2); @ = stddev(4); @ = stddev(4); @ = stddev(5); exit(0); }
END { printa("%@d", @); }
