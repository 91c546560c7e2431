BEGIN { a["x"]++; ++a["x"]; b = a["x"]++; printf("%d %d", a["x"], b); exit(0); }
