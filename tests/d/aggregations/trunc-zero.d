BEGIN { @["a"] = sum(1); exit(0); }
END { trunc(@, 0); printa("%s", @); printf("end"); }
