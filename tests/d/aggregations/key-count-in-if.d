BEGIN { x = 1; if (x) @["t"] = count(); @["a"] = count(); exit(0); }
END { printa("%s %@d;", @); }
