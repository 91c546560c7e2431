BEGIN { @["b"] = count(); @["c"] = count(); @["a"] = count(); exit(0); }
END { printa("%s ", @); }
