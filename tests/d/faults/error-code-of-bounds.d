BEGIN { s = "abc"; i = 999; x = s[i]; }
ERROR { printf("%d", arg4); exit(0); }
