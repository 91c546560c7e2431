BEGIN { @["a"] = sum(1); @["b"] = sum(2); exit(0); }
END { trunc(@); printa("%s", @); printf("end"); }
