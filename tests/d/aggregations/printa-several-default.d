BEGIN { @a["x"] = sum(1); @b["x"] = sum(2); exit(0); }
END { printa(@a, @b); }
