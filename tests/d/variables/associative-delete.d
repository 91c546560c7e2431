BEGIN { a["k"] = 5; a["k"] = 0; a["k"]++; printf("%d", a["k"]); exit(0); }
