BEGIN { exit(0); printf("a"); }
BEGIN { printf("b"); }
END { printf("c"); }
