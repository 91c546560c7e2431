/* The squares need 128 bits. */
BEGIN { @ = stddev(5000000000); @ = stddev(-5000000000); exit(0); }
END { printa("%@d", @); }
