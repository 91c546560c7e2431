BEGIN { if ("x") printf("a"); }
