BEGIN { @["abc"] = count(); @["de"] = sum(2); exit(0); }
