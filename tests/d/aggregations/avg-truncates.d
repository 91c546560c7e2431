BEGIN { @ = avg(3); @ = avg(4); @n = avg(-3); @n = avg(-4); exit(0); }
END { printa("%@d %@d", @, @n); }
