ERROR { @["errors"] = count(); }
BEGIN { x = *(int *)8; }
BEGIN { x = *(int *)8; }
BEGIN { exit(0); }
END { printa("%s %@d", @); }
