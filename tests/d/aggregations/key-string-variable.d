BEGIN { s = "abc"; @[s] = count(); s = "ab"; @[s] = count(); @["abc"] = count(); exit(0); }
END { printa("%s %@d;", @); }
