BEGIN { @ = quantize(0); exit(0); }
END { printa("%@d", @); }
