BEGIN { @["x"] = sum(3); @["y"] = sum(-1); @["z"] = sum(2); exit(0); }
END { printa("%s %@d\n", @); }
