#pragma D option stackframes=1
BEGIN { @[stack()] = count(); exit(0); }
END { printa("%@d", @); }
