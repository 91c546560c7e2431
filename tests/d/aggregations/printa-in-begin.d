BEGIN { @ = count(); }
BEGIN { printa("%@d ", @); }
BEGIN { @ = count(); printa("%@d", @); exit(0); }
