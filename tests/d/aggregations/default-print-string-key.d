BEGIN { @["abc"] = count(); @["de"] = count(); @["de"] = count(); exit(0); }
