BEGIN { @["k"] = sum(5); exit(0); }
END { printa("%@d\n", @); }
