BEGIN { x = 1; if (x) @["yes"] = count(); else @["no"] = count(); exit(0); }
END { printa("%s %@d", @); }
