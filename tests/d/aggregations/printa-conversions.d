BEGIN { @["k", 7] = sum(-255); exit(0); }
END { printa("%s|%5d|%@d|%@u|%@x|%@8d|", @); }
