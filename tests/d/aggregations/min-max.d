BEGIN { @l = min(5); @l = min(-3); @l = min(7); @h = max(5); @h = max(-3); @h = max(7); exit(0); }
END { printa("%@d %@d", @l, @h); }
