#pragma D option maxframes=5
BEGIN { @[stack()] = count(); exit(0); }
END { printa("%@d", @); }
