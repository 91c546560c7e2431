BEGIN { @["a"] = sum(1); exit(0); }
END { trunc(@, 10); printa("%s", @); }
