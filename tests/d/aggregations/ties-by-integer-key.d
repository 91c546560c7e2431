BEGIN { @[5] = count(); @[-1] = count(); @[100] = count(); exit(0); }
END { printa("%d ", @); }
