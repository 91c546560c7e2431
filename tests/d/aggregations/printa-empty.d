BEGIN { exit(0); }
BEGIN / 0 / { @["k"] = count(); }
END { printa("%s", @); printf("end"); }
