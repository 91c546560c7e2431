BEGIN { @["k"] = count(); exit(0); }
END { printa(@); }
