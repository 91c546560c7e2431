BEGIN { @[*(int *)8] = count(); }
BEGIN { exit(0); }
