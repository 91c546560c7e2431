BEGIN { @["a"] = sum(5); }
BEGIN { clear(@); }
BEGIN { @["b"] = sum(2); exit(0); }
END { printa("%s %@d;", @); }
