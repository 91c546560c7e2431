BEGIN { @["a", 2] = count(); @["a", 1] = count(); @["A", 9] = count(); exit(0); }
END { printa("%s%d ", @); }
