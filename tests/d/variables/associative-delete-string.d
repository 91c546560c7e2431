BEGIN { a["k"] = "v"; a["k"] = 0; printf("[%s]", a["k"]); exit(0); }
