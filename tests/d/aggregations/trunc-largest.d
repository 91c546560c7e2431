BEGIN { @["a"] = sum(1); @["b"] = sum(3); @["c"] = sum(2); exit(0); }
END { trunc(@, 2); printa("%s %@d;", @); }
