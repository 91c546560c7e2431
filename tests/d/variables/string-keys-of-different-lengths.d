BEGIN { a["x"] = 1; s = "xyz"; a[s] = 2; printf("%d %d %d", a["x"], a["xyz"], a[strjoin("x", "yz")]); exit(0); }
