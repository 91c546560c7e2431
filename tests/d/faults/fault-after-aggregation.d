/* What was done before stays done. */
BEGIN { @ = count(); x = *(int *)8; @ = count(); }
BEGIN { exit(0); }
END { printa("%@d", @); }
