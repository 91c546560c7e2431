BEGIN { @a["x"] = sum(1); @b["x"] = sum(2); @b["y"] = sum(3); exit(0); }
END { printa("%s %@d %@d\n", @a, @b); }
