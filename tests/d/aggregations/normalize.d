BEGIN { @ = sum(1000); exit(0); }
END { normalize(@, 10); printa("%@d ", @); denormalize(@); printa("%@d", @); }
